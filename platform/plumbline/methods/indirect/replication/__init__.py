"""Known biases (thesis, section 3.4): what direct and indirect scores say of genders, beside the printed figures."""
