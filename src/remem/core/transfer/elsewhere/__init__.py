"""What other products kept, as documents and memories of ours."""
