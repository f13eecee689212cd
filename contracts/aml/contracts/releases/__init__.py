"""The bundled releases: one folder of plain files each. Read through `aml.runtime.release_folder`."""
