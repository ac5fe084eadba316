"""One module a revision. What has been released is never changed."""
