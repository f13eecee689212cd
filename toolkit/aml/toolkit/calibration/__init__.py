"""A judge's calibration for people: the table that `aml judge calibrate` prints."""
