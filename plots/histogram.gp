# A frame for each layer, a line of steps for each row. data.dat, a series for each row in each layer:
# middle of a bin, share
set xrange [x_low:x_high]
set xtics x_step * (x_high - x_low > 5 * x_step ? 2 : 1)
set yrange [y_low:y_high]
set ytics y_step * (y_high - y_low > 5 * y_step ? 2 : 1)
set grid x y lw 0.4 lc rgb '#d0d0d0' dt 1
set multiplot
do for [p = 1:panels] {
    set lmargin at screen value(sprintf('panel_left_%d', p))
    set rmargin at screen value(sprintf('panel_right_%d', p))
    set tmargin at screen value(sprintf('panel_top_%d', p))
    set bmargin at screen value(sprintf('panel_bottom_%d', p))
    if (p == 2) {
        unset label
        unset arrow
    }
    set label 9999 T[panel_name + p - 1] at graph 0.5, graph 1 offset 0,0.7 center
    set xlabel (p > panels - across ? T[label_x] : '')
    set ylabel (p % across == 1 || across == 1 ? T[label_y] : '')
    plot for [i = 1:series] 'data.dat' index series * (p - 1) + i - 1 using 1:2 with histeps \
             lw 1.2 dt sort(i) lc rgb hue(i) notitle
}
unset multiplot
