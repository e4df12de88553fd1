"""BBQ as a bank: the published examples read and checked, or questions made from templates and a seed."""
