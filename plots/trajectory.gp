# Trajectories: a line with points for each series, above a gray line for each of its seeds. The series
# without points are the seeds. If the axis is the dev loss, it falls from left to right, as in training.
if (dotted) {
    set arrow from graph 0, first middle to graph 1, first middle nohead lw 0.8 dt 3 \
        lc rgb '#6b6b6b' back
}
if (falls) { set xrange [value_of(x_high):value_of(x_low)] }
plot for [i = pointed + 1:pointed + against] 'data.dat' index base + i - 1 using 1:2 with lines lw 0.6 \
         lc rgb '#bdbdbd' notitle, \
     for [i = 1:pointed] 'data.dat' index base + i - 1 using 1:2 with lines lw 1.2 \
         dt dots(i) lc rgb hue(i) notitle, \
     for [i = 1:pointed] 'data.dat' index base + i - 1 using 1:2 with points \
         pt point(i) ps 0.4 * dot * bulk(i) lw 1.2 lc rgb hue(i) notitle, \
     for [i = 1:pointed] keyentry with linespoints pt point(i) ps 0.4 * dot * bulk(i) lw 1.2 \
         dt dots(i) lc rgb hue(i) title T[row + i - 1]
