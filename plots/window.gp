# Bars on the left axis, a line with points on the right one, for each row of the grid; where bars
# lie, the line is that of the axis above. data.dat: position, bar, its deviation, point, its deviation
set style fill solid 1 border rgb dark
if (lying) {
    unset key
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
    set x2label T[label_y2] textcolor rgb line
    set x2range [right_low:right_high]
    set x2tics sparse(right_low, right_high, right_step) textcolor rgb line
    zero = left_low > 0 ? left_low : left_high < 0 ? left_high : 0
    plot 'data.dat' using 2:1:(zero):2:($1 - 0.28):($1 + 0.28) with boxxyerror lw 0.6 \
            lc rgb '#b3cde3', \
         '' using ($2 - $3):1:(2 * $3):(0) with vectors heads size graph 0.006,90 lw 0.8 \
            lc rgb dark, \
         '' using ($4 - $5):1:(2 * $5):(0) axes x2y1 with vectors heads size graph 0.006,90 \
            lw 0.8 lc rgb line, \
         '' using 4:1 axes x2y1 with linespoints pt 7 ps 0.4 * dot lw 1.2 lc rgb line
} else {
    set xlabel T[label_x] offset 0,1.3 - lines
    set ylabel T[label_y]
    set y2label T[label_y2] offset -0.4,0
    set xrange [0.4:rows + 0.6]
    set xtics () scale 0
    do for [i = 1:rows] { set xtics add (T[name + i - 1] i) }
    set bmargin lines + 0.6 + 1.2 * labeled
    set yrange [left_low:left_high]
    set ytics left_step
    set y2range [right_low:right_high]
    set y2tics right_step
    set boxwidth 0.55
    plot 'data.dat' using 1:2 with boxes lw 0.6 lc rgb '#b3cde3' title T[key_left], \
         '' using 1:($2 - $3):(0):(2 * $3) with vectors heads size graph 0.008,90 lw 0.8 \
            lc rgb dark notitle, \
         '' using 1:($4 - $5):(0):(2 * $5) axes x1y2 with vectors heads size graph 0.008,90 \
            lw 0.8 lc rgb line notitle, \
         '' using 1:4 axes x1y2 with linespoints pt 7 ps 0.4 * dot lw 1.2 lc rgb line \
            title T[key_right]
}
