"""Long conversations under our context engine and under the documented rules."""
