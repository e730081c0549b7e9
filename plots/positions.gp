# A frame for each layer: points for each row, or with `dashed` a line of steps. data.dat, a block for each
# row in each layer: x, y
set xrange [x_low:x_high]
set xtics x_step * (x_high - x_low > 5 * x_step ? 2 : 1)
set yrange [y_low:y_high]
set ytics y_step * (y_high - y_low > 5 * y_step ? 2 : 1)
set grid x y lw 0.4 lc rgb '#d0d0d0' dt 1
unset key
if (dashed) {
    plot for [i = 1:series] 'data.dat' index base + i - 1 using 1:2 with histeps \
             lw 1.2 dt sort(i) lc rgb hue(i)
} else {
    plot for [i = 1:series] 'data.dat' index base + i - 1 using 1:2 with points \
             pt point(i) ps 0.22 * dot * bulk(i) lc rgb color(i)
}
