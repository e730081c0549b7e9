# Weights as gray squares: a frame for each branch, the words of its row beside the first one and below
# all. data.dat, a series for each frame: key, query, weight
unset key
unset colorbox
unset grid
set palette gray negative
set cbrange [0:most]
set border lw 0.6
set tics scale 0
do for [i = 1:rows] {
    y = value(sprintf('heading_%d', i))
    if (y >= 0) {
        set label i T[value(sprintf('row_name_%d', i))] at screen 14 / page_width, y left
    }
}
set multiplot
do for [p = 1:panels] {
    r = value(sprintf('row_%d', p))
    n = value(sprintf('pieces_%d', r))
    words = value(sprintf('axis_%d', r))
    set lmargin at screen value(sprintf('panel_left_%d', p))
    set rmargin at screen value(sprintf('panel_right_%d', p))
    set tmargin at screen value(sprintf('panel_top_%d', p))
    set bmargin at screen value(sprintf('panel_bottom_%d', p))
    if (p == 2) { unset label }
    set label 9999 T[panel_name + p - 1] at graph 0.5, graph 1 offset 0,0.7 center
    set xrange [0.5:n + 0.5]
    set yrange [n + 0.5:0.5]
    set xtics () rotate by 90 right font small
    unset ytics
    do for [i = 1:n] { set xtics add (T[words + i - 1] i) }
    if (value(sprintf('first_%d', p))) {
        set ytics () font small
        do for [i = 1:n] { set ytics add (T[words + i - 1] i) }
    }
    plot 'data.dat' index p - 1 using 1:2:3 with image pixels notitle
}
unset multiplot
