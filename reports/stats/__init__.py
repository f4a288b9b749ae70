"""Statistics: numbers in, numbers out; nothing here knows a study."""
