"""What the commands of ``thoth`` do beside the night: printing, enrolling, boards, numbers, photos, drawings."""
