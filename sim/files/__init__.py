"""Files that people write: read, checked, told of in the user's terms; files that komi writes, whole or not at all."""
