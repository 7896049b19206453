"""The rules of Briscola and its family: cards, deals, views and outcomes. Pure: no clock, no network, no chance."""
