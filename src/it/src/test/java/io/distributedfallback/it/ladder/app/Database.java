package io.distributedfallback.it.ladder.app;

import io.distributedfallback.it.light.Names;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The database behind the cache. */
@ApplicationScoped
public class Database {

    public String read(int id) throws SQLException {
        try (Connection connection = Names.database().getConnection();
                PreparedStatement statement = connection.prepareStatement("SELECT text FROM product WHERE id = ?")) {
            statement.setInt(1, id);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    throw new SQLException("no product " + id);
                }
                return row.getString(1);
            }
        }
    }
}
