"""The pytest plugin. `plugin` is what pytest loads in every project; it imports the rest of AML when something of it is used."""
