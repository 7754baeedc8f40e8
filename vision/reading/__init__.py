"""Reading pieces in any photograph, without a mat: proposed, aligned, judged, accepted or left unknown."""
