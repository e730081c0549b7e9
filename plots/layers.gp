# A line for each row of the grid against the layers of its model, and a dashed one of what it was
# before training; the dotted line is the measure's middle. data.dat, a series per row: layer, value,
# lower and upper end of its bar; then as many of layer and value before training, or none
set xlabel T[label_x]
set ylabel T[label_y]
set xrange [0.5:layers + 0.5]
set xtics 1, 1
if (exists('last')) { set xtics 1, 1, layers - 1; set xtics add (T[last] layers) }
set yrange [left_low:left_high]
set ytics left_step
if (!legend) { set key horizontal maxcols key_columns }
if (series == 1) { unset key }
apart(i) = (i - (drawn + 1) / 2.0) * (drawn > 3 ? 0.4 / drawn : 0.12)
if (dotted) {
    set arrow from graph 0, first middle to graph 1, first middle nohead lw 0.8 dt 3 \
        lc rgb '#6b6b6b' back
}
if (untrained) {
    plot for [i = 1:untrained] 'data.dat' index drawn + i - 1 using ($1 + apart(i)):2 with lines \
             lw 1.0 dt 2 lc rgb color(i) notitle, \
         for [i = 1:drawn] '' index i - 1 using ($1 + apart(i)):3:(0):($4 - $3) \
             with vectors heads size graph 0.008,90 lw 0.8 lc rgb color(i) notitle, \
         for [i = 1:drawn] '' index i - 1 using ($1 + apart(i)):2 with linespoints \
             pt point(i) ps 0.45 * dot * bulk(i) lw 1.2 lc rgb color(i) title T[row + i - 1], \
         for [i = drawn + 1:series] keyentry with lines lw 1.0 dt 2 lc rgb hue(i) title named(i)
} else {
    plot for [i = 1:drawn] 'data.dat' index i - 1 using ($1 + apart(i)):3:(0):($4 - $3) \
             with vectors heads size graph 0.008,90 lw 0.8 lc rgb color(i) notitle, \
         for [i = 1:drawn] '' index i - 1 using ($1 + apart(i)):2 with linespoints \
             pt point(i) ps 0.45 * dot * bulk(i) lw 1.2 lc rgb color(i) title T[row + i - 1]
}
