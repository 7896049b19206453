"""The referee's three doors and the hall behind them: it owns every match's state and clock."""
