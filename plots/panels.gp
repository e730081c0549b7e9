# A frame for each layer: points for each row, or with `dashed` a line of steps. data.dat, a block for each
# row in each layer: x, y
set xrange [x_low:x_high]
set xtics x_step * (x_high - x_low > 5 * x_step ? 2 : 1)
set yrange [y_low:y_high]
set ytics y_step * (y_high - y_low > 5 * y_step ? 2 : 1)
set grid x y lw 0.4 lc rgb '#d0d0d0' dt 1
unset key
set multiplot layout down, beside margins screen 70 / page_width, 1 - 18 / page_width, \
    54 / page_height, 1 - (legend_above + 24) / page_height \
    spacing screen 46 / page_width, 54 / page_height
do for [p = 1:panels] {
    if (p == 2) {
        unset label
        unset arrow
    }
    set label 9999 T[panel_name + p - 1] at graph 0.5, graph 1 offset 0,0.7 center
    set xlabel (p > panels - beside ? T[label_x] : '') offset 0,0.3
    set ylabel (p % beside == 1 || beside == 1 ? T[label_y] : '')
    if (dashed) {
        plot for [i = 1:series] 'data.dat' index series * (p - 1) + i - 1 using 1:2 with histeps \
                 lw 1.2 dt sort(i) lc rgb hue(i)
    } else {
        plot for [i = 1:series] 'data.dat' index series * (p - 1) + i - 1 using 1:2 with points \
                 pt point(i) ps 0.22 * dot * bulk(i) lc rgb color(i)
    }
}
unset multiplot
