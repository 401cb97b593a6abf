"""What other products and services have, as documents and memories of ours."""
