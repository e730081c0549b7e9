# What all figures have in common. Text comes from text.dat, which is read and never executed.
set encoding utf8
set datafile separator "\t"
set datafile commentschars ''
set datafile missing '?'
array T[texts]
stats 'text.dat' using (T[int($0) + 1] = strcol(1), 0) nooutput

set border lw 0.6
set tics nomirror scale 0.5
set format '%g'
set grid y lw 0.4 lc rgb '#d0d0d0' dt 1
set key tmargin left Left reverse samplen 1.8 spacing 1.0 height 0.2
set xlabel offset 0,0.3

# Distinguishable without color: by lightness, point and dash.
dark = '#1a1a1a'
array color[6] = ['#1f4e8c', '#d9730d', '#3f8f5f', '#8c2d5a', '#6b6b6b', '#b89b00']
array point[6] = [7, 5, 9, 13, 11, 4]
array dash[6] = [2, 3, 4, 5, 2, 3]
of(i) = (i - 1) % 6 + 1
