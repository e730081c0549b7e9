# A line with points for each row against classes to scale, a band where there is an interval; the
# dotted line is what they are seen against, the dashed one where the classes end that were trained.
# data.dat: of each row x, mean, lower and upper end of its interval; then x and what it is seen
# against
set xlabel T[label_x] offset 0,1.3 - lines
set ylabel T[label_y]
set xrange [x_low:x_high]
set xtics ()
do for [i = 1:tics] { set xtics add (T[name + i - 1] value(sprintf('tic_%d', i))) }
set bmargin lines + 0.6 + 1.2 * labeled
set yrange [left_low:left_high]
set ytics left_step
if (!legend) { set key horizontal maxcols key_columns }
if (marked) {
    set arrow from first mark, graph 0 to first mark, graph 1 nohead lw 0.8 dt dots(marked) \
        lc rgb hue(marked) back
}
plot for [i = 1:pointed] 'data.dat' index i - 1 using 1:3:4 with filledcurves \
         fc rgb hue(i) fs transparent solid 0.16 noborder notitle, \
     for [i = pointed + 1:pointed + against] '' index i - 1 using 1:2 with lines lw 1.2 \
         dt dots(i) lc rgb hue(i) notitle, \
     for [i = 1:pointed] '' index i - 1 using 1:2 with linespoints pt point(i) \
         ps 0.4 * dot * bulk(i) lw 1.2 lc rgb hue(i) notitle, \
     for [i = 1:pointed] keyentry with linespoints pt point(i) ps 0.4 * dot * bulk(i) lw 1.2 \
         lc rgb hue(i) title T[row + i - 1], \
     for [i = pointed + 1:series] keyentry with lines lw 1.2 dt dots(i) lc rgb hue(i) \
         title T[row + i - 1]
