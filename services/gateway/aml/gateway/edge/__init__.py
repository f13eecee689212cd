"""What every request passes: keys, bodies, refusals, replays."""
