"""The cycles that come with the package, one file each. Read by `aml.runtime.cycle_folder`."""
