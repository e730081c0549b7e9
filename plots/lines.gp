# Lines through means over seeds against an axis, a point for each seed, an interval where there is
# one. Series after the first `solid` ones are dotted, after the first `pointed` ones they go across,
# dotted or dashed.
# data.dat: of each series that is not across two blocks (x, mean, low, high; x, a seed's value), of
# each that is one (mean)
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
if (series > pointed + 1) { set key samplen 4.5 }
# Neighbors stand beside one another, by less than a reader takes for another value.
near = 0.015 * (x_high - x_low)
gap = near * pointed < 0.4 * x_least ? near : 0.4 * x_least / (pointed > 0 ? pointed : 1)
apart(i) = (i - (pointed + 1) / 2.0) * (pointed > 1 ? gap : 0)
block(i) = i <= pointed ? 2 * i - 2 : pointed + i - 1
plot for [i = 1:pointed] 'data.dat' index block(i) using ($1 + apart(i)):3:(0):($4 - $3) \
         with vectors heads size graph 0.006,90 lw 0.8 lc rgb hue(i) notitle, \
     for [i = 1:pointed] '' index block(i) using ($1 + apart(i)):2 with lines lw 1.2 \
         dt dots(i) lc rgb hue(i) notitle, \
     for [i = 1:pointed] '' index block(i) + 1 using ($1 + apart(i)):2 with points pt point(i) \
         ps 0.32 * dot * bulk(i) lw 1.2 lc rgb hue(i) notitle, \
     for [i = pointed + 1:series] '' index block(i) using (x_low):1:(x_high - x_low):(0) \
         with vectors nohead lw 1.2 dt dots(i) lc rgb hue(i) notitle, \
     for [i = 1:pointed] keyentry with linespoints pt point(i) ps 0.4 * dot * bulk(i) lw 1.2 \
         dt dots(i) lc rgb hue(i) title T[row + i - 1], \
     for [i = pointed + 1:series] keyentry with lines lw 1.2 dt dots(i) lc rgb hue(i) \
         title T[row + i - 1]
