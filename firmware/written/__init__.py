"""What is kept: the journal, records that people take home, recordings, and all of it read again."""
