"""Light and sound: a lamp and a buzzer that say without words what the display says."""
