"""What is erased or hidden together with a memory."""
