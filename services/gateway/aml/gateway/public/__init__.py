"""What needs no key."""
