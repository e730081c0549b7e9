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

# Distinguishable without color: by lightness and by point, which repeat out of step. No point is
# hollow: a PNG's thick lines would fill it. The cross is thin, so it is larger.
dark = '#1a1a1a'
line = '#8c2d5a'
array colors[5] = ['#12336b', '#ef9b20', '#2f8f6b', '#8c2d5a', '#8a8a8a']
array points[6] = [7, 5, 9, 13, 11, 2]
array dashes[4] = [2, 3, 4, 5]
color(i) = colors[(i - 1) % 5 + 1]
point(i) = points[(i - 1) % 6 + 1]
bulk(i) = point(i) == 2 ? 1.4 : 1
dash(i) = dashes[(i - 1) % 4 + 1]
