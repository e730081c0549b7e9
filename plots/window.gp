# Bars on the left axis, a line with points on the right one, for each row of the grid.
# data.dat: position, bar, its deviation, point, its deviation
set xlabel T[label_x] offset 0,1.3 - lines
set ylabel T[label_y]
set y2label T[label_y2] offset -0.4,0
set xrange [0.4:rows + 0.6]
set xtics () scale 0
do for [i = 1:rows] { set xtics add (T[name + i - 1] i) }
if (slanted) {
    set xtics rotate by 35 right
    unset xlabel
    set label T[label_x] at graph 0.5, screen 0.04 center
    set bmargin 0.8 + 0.26 * slanted + (labeled ? 1.5 : 0)
} else {
    set bmargin lines + (labeled ? 1.8 : 0.6)
}
set yrange [left_low:left_high]
set ytics left_step
set y2range [right_low:right_high]
set y2tics right_step
set boxwidth 0.55
set style fill solid 1 border rgb dark
plot 'data.dat' using 1:2 with boxes lw 0.6 lc rgb '#b3cde3' title T[key_left], \
     '' using 1:($2 - $3):(0):(2 * $3) with vectors heads size graph 0.008,90 lw 0.8 \
        lc rgb dark notitle, \
     '' using 1:($4 - $5):(0):(2 * $5) axes x1y2 with vectors heads size graph 0.008,90 \
        lw 0.8 lc rgb line notitle, \
     '' using 1:4 axes x1y2 with linespoints pt 7 ps 0.4 * dot lw 1.2 lc rgb line title T[key_right]
