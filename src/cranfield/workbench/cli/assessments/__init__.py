"""What `cranfield assess` can assess."""
