"""The rules of Briscola and its family: cards, deals, views and outcomes. Pure: no clock, no network, no chance."""

# So that ``Deal`` knows the class of every game's deals, whichever module of the room is imported first.
from carico.rules import brisca as brisca
from carico.rules import briscolone as briscolone
from carico.rules import chiamata as chiamata
