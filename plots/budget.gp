# The value of a budget: a line with points and a band for each row, then a dotted line without a band.
# data.dat has a block for each row: number of trials, value, lower and upper end of the band. The
# blocks of the dotted lines follow. They have points, too, because a line may be a single point.
if (dotted) {
    set arrow from graph 0, first middle to graph 1, first middle nohead lw 0.8 dt 3 lc rgb '#6b6b6b' back
}
plot for [i = 1:bands] 'data.dat' index base + i - 1 using 1:3:4 with filledcurves \
         fc rgb color(i) fs transparent solid 0.16 noborder notitle, \
     for [i = 1:solid] 'data.dat' index base + solid + i - 1 using 1:2 with linespoints \
         pt point(i) ps 0.4 * dot * bulk(i) lw 1.2 dt 3 lc rgb color(i) notitle, \
     for [i = 1:solid] 'data.dat' index base + i - 1 using 1:2 with linespoints pt point(i) \
         ps 0.4 * dot * bulk(i) lw 1.2 dt dots(i) lc rgb color(i) title T[row + i - 1]
