"""Connect an account by OAuth."""
