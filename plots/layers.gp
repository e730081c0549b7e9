# A line for each row of the grid against the layers of its model; the dotted line is the measure's
# middle. data.dat, a series per row: layer, value, lower and upper end of its bar
set xlabel T[label_x]
set ylabel T[label_y]
set xrange [0.5:layers + 0.5]
set xtics 1, 1
set yrange [left_low:left_high]
set ytics left_step
if (!legend) { set key horizontal maxcols key_columns }
if (series == 1) { unset key }
apart(i) = (i - (series + 1) / 2.0) * (series > 6 ? 0.8 / series : series > 1 ? 0.12 : 0)
if (dotted) {
    set arrow from graph 0, first middle to graph 1, first middle nohead lw 0.8 dt 3 \
        lc rgb '#6b6b6b' back
}
plot for [i = 1:series] 'data.dat' index i - 1 using ($1 + apart(i)):3:(0):($4 - $3) \
         with vectors heads size graph 0.008,90 lw 0.8 lc rgb color(i) notitle, \
     for [i = 1:series] '' index i - 1 using ($1 + apart(i)):2 with linespoints \
         pt point(i) ps 0.45 * dot * bulk(i) lw 1.2 lc rgb color(i) title T[row + i - 1]
