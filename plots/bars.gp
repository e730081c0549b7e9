# A bar for each row of the grid. data.dat: position, value, its deviation
set xlabel T[label_x] offset 0,1.3 - lines
set ylabel T[label_y]
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
set boxwidth 0.55
set style fill solid 1 border rgb dark
unset key
plot 'data.dat' using 1:2 with boxes lw 0.6 lc rgb '#b3cde3', \
     '' using 1:($2 - $3):(0):(2 * $3) with vectors heads size graph 0.008,90 lw 0.8 \
        lc rgb dark
