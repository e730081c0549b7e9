# A line for each series against shares of tr, on a logarithmic scale; the dotted line is what values
# are seen against. data.dat, a series per line: log10 of the share, value, lower and upper end of its
# bar
set xlabel T[label_x] offset 0,1.3 - lines
set ylabel T[label_y]
set xrange [x_low:x_high]
set xtics ()
do for [i = 1:tics] { set xtics add (T[name + i - 1] value(sprintf('tic_%d', i))) }
set bmargin lines + 0.6 + 1.2 * labeled
set yrange [left_low:left_high]
set ytics left_step
if (!legend) { set key horizontal maxcols key_columns }
if (series == 1) { unset key }
apart(i) = (i - (series + 1) / 2.0) * (x_high - x_low) * (series > 6 ? 0.03 / series : 0.005)
if (dotted) {
    set arrow from graph 0, first middle to graph 1, first middle nohead lw 0.8 dt 3 \
        lc rgb '#6b6b6b' back
}
plot for [i = 1:series] 'data.dat' index i - 1 using ($1 + apart(i)):3:(0):($4 - $3) \
         with vectors heads size graph 0.006,90 lw 0.8 lc rgb color(i) notitle, \
     for [i = 1:series] '' index i - 1 using ($1 + apart(i)):2 with linespoints \
         pt point(i) ps 0.4 * dot * bulk(i) lw 1.2 lc rgb color(i) title T[row + i - 1]
