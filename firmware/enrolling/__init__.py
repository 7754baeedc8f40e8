"""Showing the owner's own faces to the camera, guided by the display and the four buttons: a pure state machine beside the night's."""
