"""The portal's pages: rendered on the server from templates, one catalogue of words and the platform's own data."""
