# A bar for each row of the grid, which lies where names do not fit below one that stands; a point
# where the axis does not begin at 0, for a bar's length would say something else than its value.
# data.dat: position, value, its deviation
set style fill solid 1 border rgb dark
unset key
if (lying) {
    unset xlabel
    unset ylabel
    set label T[label_x] at screen (10 * labeled) / page_width, graph 0.5 center rotate
    set xlabel T[label_y]
    set xrange [left_low:left_high]
    set xtics sparse(left_low, left_high, left_step)
    set yrange [rows + 0.6:0.4]
    set ytics () scale 0 font small
    do for [i = 1:rows] { set ytics add (T[name + i - 1] i) }
    set grid noy x
    zero = left_low > 0 ? left_low : left_high < 0 ? left_high : 0
    plot 'data.dat' using (from_zero ? $2 : NaN):1:(zero):2:($1 - 0.28):($1 + 0.28) \
            with boxxyerror lw 0.6 lc rgb '#b3cde3', \
         '' using (from_zero ? NaN : $2):1 with points pt 7 ps 0.8 * dot lc rgb '#2b6ca3', \
         '' using ($2 - $3):1:(2 * $3):(0) with vectors heads size graph 0.006,90 lw 0.8 \
            lc rgb dark
} else {
    set xlabel T[label_x] offset 0,1.3 - lines
    set ylabel T[label_y]
    set xrange [0.4:rows + 0.6]
    set xtics () scale 0
    do for [i = 1:rows] { set xtics add (T[name + i - 1] i) }
    set bmargin lines + 0.6 + 1.2 * labeled
    set yrange [left_low:left_high]
    set ytics left_step
    set boxwidth 0.55
    plot 'data.dat' using 1:(from_zero ? $2 : NaN) with boxes lw 0.6 lc rgb '#b3cde3', \
         '' using 1:(from_zero ? NaN : $2) with points pt 7 ps 0.8 * dot lc rgb '#2b6ca3', \
         '' using 1:($2 - $3):(0):(2 * $3) with vectors heads size graph 0.008,90 lw 0.8 \
            lc rgb dark
}
