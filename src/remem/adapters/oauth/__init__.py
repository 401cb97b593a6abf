"""Request tokens from other services by OAuth."""
