"""Laws of material points: fibres, plane stress, solids."""
