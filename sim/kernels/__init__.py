"""What kernels of all games are made of, and the loop that plays them."""
