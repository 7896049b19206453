"""What an organiser does with seasons, at hand (on the store) and for organisers on other machines (over gRPC)."""
