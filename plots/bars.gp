# A bar for each row of the grid, horizontal if the names do not fit below vertical bars. It is a point
# if the axis does not begin at 0, because the length of a bar would then be misleading. With `right`, a
# line with points on a second axis. data.dat: position, value, lower and upper end of the error bar;
# then the same for the line
set style fill solid 1 border rgb dark
set boxwidth 0.55
set x2range [0:1]
set y2range [0:1]
if (!right || lying) { unset key } else { set key vertical }
zero = left_low > 0 ? left_low : left_high < 0 ? left_high : 0
if (lying) {
    if (right) {
        set x2label T[label_y2] textcolor rgb line
        set x2range [right_low:right_high]
        set x2tics sparse(right_low, right_high, right_step) textcolor rgb line
    }
    plot 'data.dat' index 0 using (from_zero ? $2 : NaN):1:(zero):2:($1 - 0.28):($1 + 0.28) \
            with boxxyerror lw 0.6 lc rgb '#b3cde3', \
         '' index 0 using (from_zero ? NaN : $2):1 with points pt 7 ps 0.8 * dot lc rgb '#2b6ca3', \
         '' index 0 using 3:1:($4 - $3):(0) with vectors heads size graph 0.006,90 lw 0.8 \
            lc rgb dark, \
         for [i = 1:right] '' index 1 using 3:1:($4 - $3):(0) axes x2y1 with vectors heads \
            size graph 0.006,90 lw 0.8 lc rgb line, \
         for [i = 1:right] '' index 1 using 2:1 axes x2y1 with linespoints pt 7 ps 0.4 * dot \
            lw 1.2 lc rgb line
} else {
    if (right) {
        set y2label T[label_y2] offset -0.4,0
        set y2range [right_low:right_high]
        set y2tics right_step
    }
    plot 'data.dat' index 0 using 1:(from_zero ? $2 : NaN) with boxes lw 0.6 lc rgb '#b3cde3' \
            title T[key_left], \
         '' index 0 using 1:(from_zero ? NaN : $2) with points pt 7 ps 0.8 * dot lc rgb '#2b6ca3' \
            notitle, \
         '' index 0 using 1:3:(0):($4 - $3) with vectors heads size graph 0.008,90 lw 0.8 \
            lc rgb dark notitle, \
         for [i = 1:right] '' index 1 using 1:3:(0):($4 - $3) axes x1y2 with vectors heads \
            size graph 0.008,90 lw 0.8 lc rgb line notitle, \
         for [i = 1:right] '' index 1 using 1:2 axes x1y2 with linespoints pt 7 ps 0.4 * dot lw 1.2 \
            lc rgb line title T[key_right]
}
