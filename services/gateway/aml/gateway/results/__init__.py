"""What a finished job shows to its owner."""
