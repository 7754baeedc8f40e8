"""What the commands of ``thoth`` do beside the night: printing, enrolling, boards, numbers, photos, drawings; and the builder's reckoning of wires
and optics, which box and doctor ask as well."""
