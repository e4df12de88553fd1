"""What the lists of findings say of a finding beside its figures."""

from django import template

from plumbline.desk.findings import doubts

register = template.Library()

register.filter("echoes", doubts.echoes)
