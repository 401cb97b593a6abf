"""remem inside the frameworks that agents are built with, each as an extra of the package."""
