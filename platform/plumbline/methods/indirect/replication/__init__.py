"""Known biases (thesis, section 3.4): direct and indirect scores of genders, compared with the printed figures."""
